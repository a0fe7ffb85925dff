/** What `svc orm:check` says of trees whose rows are above themselves. Pure. */
import type { TreeView } from '../application/database-view.ts'
import { textTable } from '../output.ts'

export function circlesTable(trees: readonly TreeView[]): string {
  const rows = trees.map((tree) => {
    const more = tree.circles > tree.first.length ? ', ...' : ''
    return [placeOf(tree), String(tree.circles), String(tree.circling), `${tree.first.join(', ')}${more}`]
  })
  return textTable(['TREE', 'CIRCLES', 'ROWS', 'FIRST IDS'], rows)
}

/** What a repair would do. */
export function plannedCircles({ entity, field, circles, repair }: TreeView): string[] {
  return repair === null ? [] : [`sets ${field} of ${circles} rows of ${entity} to null, one of each circle`]
}

export function openedCircles(tree: TreeView): string {
  return `${placeOf(tree)}: set ${tree.circles} references to null, one of each circle`
}

/** The rest of a sentence. */
export function circlingText(trees: readonly TreeView[]): string {
  const total = trees.reduce((sum, { circling }) => sum + circling, 0)
  return `${total} rows are above themselves, in ${trees.length} trees`
}

function placeOf({ connector, entity, field }: TreeView): string {
  return `${connector}: ${entity}.${field}`
}
