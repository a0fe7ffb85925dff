/** Sides of a comparison take turns: load from elsewhere meets all of them, and none always runs on the warmer machine. */

/** Whoever begins changes from round to round, and so does who follows whom. */
export async function eachInTurn<Item>(
  items: readonly Item[],
  round: number,
  work: (item: Item) => Promise<void>
): Promise<void> {
  const first = round % items.length
  const turned = [...items.slice(first), ...items.slice(0, first)]
  for (const item of round % 2 === 0 ? turned : turned.toReversed()) await work(item)
}
