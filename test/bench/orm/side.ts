/** One way to the same tables: what every side of the comparison can do, and what most can. */

export interface ArticleRow {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly stars: number
}

export interface StockRow {
  readonly id: string
  readonly sku: string
  readonly amount: number
}

export type Amount = Omit<StockRow, 'sku'>

export interface Side {
  find(id: string): Promise<unknown>
  insert(row: ArticleRow): Promise<unknown>
  /** Twenty rows with at least so many stars, by title. */
  list(stars: number): Promise<unknown>
  /** Adds one to the stars of a row in one statement, without reading it. */
  addStar(id: string): Promise<unknown>
  /** How many rows there are of each number of stars: `stars` and `rows`, fewest stars first. */
  groups(): Promise<unknown>
  readonly questions: Questions
  close(): Promise<unknown>
}

/** What is absent, a side can say in SQL alone. */
export interface Questions {
  /** The customers of a city by id, with the number of their purchases. */
  counts?(city: string): Promise<unknown>
  /** The customers of a city by id, with the three purchases of each that were placed last. */
  newest?(city: string): Promise<unknown>
  /** A hundred of the purchases placed from here on, of a thousand, by the name of their customer. */
  ordered?(from: number): Promise<unknown>
  /** Purchases by month, in the zone of the place: `month`, `rows`, and the sum of `total`. */
  months?(): Promise<unknown>
  /** Writes the amount of this article number, whether it is there or not. */
  upsert?(row: StockRow): Promise<unknown>
  /** The same of many, in one call. */
  upsertMany?(rows: readonly StockRow[]): Promise<unknown>
  /** Gives each of these rows, named by its id, its amount, in one call; a number of another row stays what it is. */
  updateEach?(rows: readonly Amount[]): Promise<unknown>
  /** The first twenty pages by id that have both words, of which one begins like the second. */
  search?(word: string, beginning: string): Promise<unknown>
  /** A category and all that are below it, by id. */
  below?(id: string): Promise<unknown>
  /** The row of a key of two fields. */
  pair?(course: string, student: string): Promise<unknown>
}

export interface Place {
  readonly engine: 'sqlite' | 'postgres'
  /** File or URL. */
  readonly target: string
  /** Of months: SQLite by itself knows no other. */
  readonly zone: 'UTC' | 'Europe/Berlin'
}
