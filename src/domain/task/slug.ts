/** How a task is named in successors, moves and addresses. */
export const SLUG = /^[a-z0-9][a-z0-9-]{0,63}$/;
