/** What a route asks of its caller: an AND of clauses, each an OR of attributes. */

/** One attribute to be put before the jury, with the name of the route parameter that is its subject. */
export interface AttributeCheck {
  readonly attribute: string
  readonly subject?: string
}

/** One attribute of a clause suffices; each is decided by a jury of its own. */
export type Clause = readonly AttributeCheck[]

/** Every clause must pass. An empty requirement grants nobody. */
export type Requirement = readonly Clause[]

/** `ROLE_A | ROLE_B & orders:read(id)`, as shown by the route listing and in logs. */
export function describeRequirement(requirement: Requirement): string {
  const clauses = requirement.map((clause) => {
    const words = clause.map(({ attribute, subject }) => (subject ? `${attribute}(${subject})` : attribute)).join(' | ')
    return requirement.length > 1 && clause.length > 1 ? `(${words})` : words
  })
  return clauses.join(' & ')
}
