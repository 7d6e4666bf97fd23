/** SQL: whose it is to decide on "Gate" at this moment. A gate that ends keeps it as its owner. */
export const CEO_OF_GATE = `(SELECT p."id" FROM "Person" p WHERE p."enterpriseId" = "Gate"."enterpriseId" AND p."isCeo" AND p."removedAt" IS NULL)`;
