/** Options of `descendants` and `ancestors`, and the rows that they make. */
import type { Countable, Found, Includable, Loadable, Selectable, ShapedOptions } from '../criteria/find-options.ts'

/** Which rows of a tree are read, seen from one row. */
export interface TreeOptions<Depth extends string = string> {
  /** The row itself comes as well. Default `false`. */
  readonly self?: boolean
  /** At most so many levels away from the row, 1 to 100. Default: all. */
  readonly maxDepth?: number
  /** A name that no field has: each row gets how many levels it is away from the row, 0 for itself. Default: none. */
  readonly depthAs?: Depth
}

/** With the shape of a find; there is no page of them. */
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
