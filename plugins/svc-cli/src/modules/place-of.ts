/** At which place of the list a module goes: after those it needs, before those that need it. Pure. */

export interface ListedModule {
  readonly name: string
  /** Plugins that come before it where they are listed. */
  readonly after: readonly string[]
}

/** Where nothing else decides: storage and the audit come before who asks them, controllers stay last. */
const LATE = ['svc-security', 'svc-decorators']

/** @param first whether it comes before everything that it may come before @returns index of the module that will follow it */
export function placeOf(module: ListedModule, listed: readonly ListedModule[], first: boolean): number {
  const lowest = listed.findLastIndex(({ name }) => module.after.includes(name)) + 1
  if (first) return lowest
  const needing = listed.findIndex(({ after }) => after.includes(module.name))
  if (needing >= lowest && needing !== -1) return needing
  const late = listed.findIndex(({ name }, index) => index >= lowest && LATE.includes(name))
  return late === -1 ? listed.length : late
}
