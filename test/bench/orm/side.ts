/** One way to the same table: what every side of the comparison can do. */

export interface ArticleRow {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly stars: number
}

export interface Side {
  find(id: string): Promise<unknown>
  insert(row: ArticleRow): Promise<unknown>
  /** Twenty rows with at least so many stars, by title. */
  list(stars: number): Promise<unknown>
  /** Adds one to the stars of a row in one statement, without reading it. */
  addStar(id: string): Promise<unknown>
  /** How many rows there are of each number of stars: `stars` and `rows`, fewest stars first. */
  groups(): Promise<unknown>
  close(): Promise<unknown>
}

export interface Place {
  readonly engine: 'sqlite' | 'postgres'
  /** File or URL. */
  readonly target: string
}
