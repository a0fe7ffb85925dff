/** Up to when audit events are kept. Pure. */

const DAY_MS = 86_400_000

/**
 * @param retentionDays 0 keeps everything
 * @returns the time (epoch ms) before which events go; `null` when none do
 */
export function auditCutoff(retentionDays: number, now: number): number | null {
  return retentionDays > 0 ? now - retentionDays * DAY_MS : null
}
