/** The roles that an application knows: those that a guard or the hierarchy names. Others can be held, and open nothing by themselves. */
import type { Requirement } from 'svc-kernel'

/** @param guarded routes, or whatever has a requirement @param hierarchy its roles @returns sorted */
export function knownRoles(
  guarded: ReadonlyArray<{ readonly requirement: Requirement | null }>,
  hierarchy: readonly string[]
): string[] {
  const checks = guarded.flatMap(({ requirement }) => (requirement ?? []).flat())
  const named = checks.map(({ attribute }) => attribute).filter((attribute) => attribute.startsWith('ROLE_'))
  return [...new Set([...hierarchy, ...named])].sort()
}
