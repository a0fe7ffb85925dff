/**
 * What an operation writes into a row. The engine decides on what stands there at that moment, so that two writers at
 * once lose nothing. A column appears in one part only.
 */

type NumberColumn<Row> = { [Name in keyof Row & string]: number extends Row[Name] ? Name : never }[keyof Row & string]

type BoundedColumn<Row> = {
  [Name in keyof Row & string]: NonNullable<Row[Name]> extends number | Date ? Name : never
}[keyof Row & string]

type ListColumn<Row> = {
  [Name in keyof Row & string]: Row[Name] extends readonly unknown[] ? Name : never
}[keyof Row & string]

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never

export interface Change<Row> {
  /** New values. */
  readonly set?: { readonly [Name in keyof Row]?: Row[Name] }
  /** Added to what is held; null counts as 0. */
  readonly add?: { readonly [Name in NumberColumn<Row>]?: number }
  /** The greater of what is held and this; null takes it. */
  readonly max?: { readonly [Name in BoundedColumn<Row>]?: NonNullable<Row[Name]> }
  /** The lesser of what is held and this; null takes it. */
  readonly min?: { readonly [Name in BoundedColumn<Row>]?: NonNullable<Row[Name]> }
  /** An item, put at the end of a list. */
  readonly push?: { readonly [Name in ListColumn<Row>]?: ItemOf<Row[Name]> }
  /** Items taken out of a list: those that equal this one, or of objects those that have these values. */
  readonly pull?: { readonly [Name in ListColumn<Row>]?: Partial<ItemOf<Row[Name]>> }
}
