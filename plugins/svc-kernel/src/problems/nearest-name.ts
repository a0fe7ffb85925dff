/** "Did you mean": the nearest of the known names, at an edit distance of 2 at most. */

export function nearestName(given: string, known: Iterable<string>, limit = 2): string | undefined {
  let best: string | undefined
  let bestDistance = limit + 1
  for (const name of known) {
    if (Math.abs(name.length - given.length) > limit) continue
    const distance = editDistance(given.toLowerCase(), name.toLowerCase())
    if (distance < bestDistance && distance < Math.max(name.length, 1)) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** Optimal string alignment distance: insert, delete, replace, swap of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let distance = Math.min(
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + cost
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        distance = Math.min(distance, (before[column - 2] as number) + 1)
      }
      current.push(distance)
    }
    before = previous
    previous = current
  }
  return previous[b.length] as number
}
