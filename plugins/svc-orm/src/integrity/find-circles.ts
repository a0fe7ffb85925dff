/** Circles among rows that name each at most one row above. Pure. */

/** @param above the row above, by id @returns the ids of each circle, the first by id in front and each before the one above it */
export function findCircles(above: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const circles: (readonly string[])[] = []
  /** By the walk that met them first. */
  const met = new Map<string, number>()
  let walk = 0
  for (const start of above.keys()) {
    walk += 1
    let at: string | undefined = start
    while (at !== undefined && !met.has(at)) {
      met.set(at, walk)
      at = above.get(at)
    }
    if (at !== undefined && met.get(at) === walk) circles.push(circleOf(above, at))
  }
  return circles.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
}

function circleOf(above: ReadonlyMap<string, string>, start: string): readonly string[] {
  const ids = [start]
  let first = 0
  for (let at = above.get(start) as string; at !== start; at = above.get(at) as string) {
    if (at < (ids[first] as string)) first = ids.length
    ids.push(at)
  }
  return [...ids.slice(first), ...ids.slice(0, first)]
}
