/** What is said of rows together. */

/** Sums and averages are of numbers, least and greatest of what has an order. */
export type Measure = { readonly of: 'count' } | { readonly of: 'sum' | 'avg' | 'min' | 'max'; readonly column: string }
