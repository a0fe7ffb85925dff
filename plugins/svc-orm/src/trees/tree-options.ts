/** Options of `descendants` and `ancestors`, and the rows that they make. */
import type { Countable, Found, Includable, Loadable, Selectable, ShapedOptions } from '../criteria/find-options.ts'

/** Which rows below or above a row to read. */
export interface TreeOptions<Depth extends string = string> {
  /** Includes the row itself. Default `false`. */
  readonly self?: boolean
  /** The maximum distance from the row in levels, 1 to 100. Default: all. */
  readonly maxDepth?: number
  /** Adds a field of this name to each row: its distance from the row in levels, 0 for the row itself. Default: none. */
  readonly depthAs?: Depth
}

/** The options of a find that shape rows, without those of pages. */
export type ShapedTreeOptions<
  Row,
  Select extends Selectable<Row>,
  Relations extends Loadable<Row>,
  Included extends Includable<Row>,
  Counted extends Countable<Row>,
  Depth extends string
> = Omit<ShapedOptions<Row, Select, Relations, Included, Counted>, 'limit' | 'offset' | 'lock'> & TreeOptions<Depth>

export type FoundInTree<Row, Select, Relations, Included, Counted, Depth extends string> = string extends keyof Row
  ? Row
  : Found<Row, Select, Relations, Included, Counted> & { [Name in Depth]: number }
