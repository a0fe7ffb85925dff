/** Which of the names that went are those that came, by the hints of definitions. Pure. */

export interface Renamed {
  readonly from: string
  readonly to: string
}

/** A hint counts where the old name is there, and only the new one is wanted: later it says nothing any more. */
export function renamed(
  before: readonly string[],
  after: readonly string[],
  hints: Readonly<Record<string, string>>
): Renamed[] {
  return Object.entries(hints)
    .filter(
      ([to, from]) => after.includes(to) && before.includes(from) && !before.includes(to) && !after.includes(from)
    )
    .map(([to, from]) => ({ from, to }))
}
