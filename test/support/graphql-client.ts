export interface GraphQLAnswer<Data = any> {
  data?: Data | null;
  errors?: { message: string; path?: (string | number)[]; extensions?: { code?: string; [key: string]: any } }[];
}

/** One operation by POST; answers the body whatever the status. */
export async function graphql<Data = any>(
  url: string,
  token: string | null,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphQLAnswer<Data>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphQLAnswer<Data>;
}

/** One operation that must succeed; answers its data. */
export async function graphqlData<Data = any>(
  url: string,
  token: string | null,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Data> {
  const { data, errors } = await graphql<Data>(url, token, query, variables);
  if (errors) throw new Error(`The operation failed: ${JSON.stringify(errors)}`);
  return data!;
}
