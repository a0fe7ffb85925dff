/** Free-text search as a pattern in which every character of the term stands for itself. Pure. */

const SYNTAX = /[\\^$.|?*+()[\]{}/]/g

/** Case-insensitive substring. */
export function containing(term: string): { $regex: string; $options: 'i' } {
  return { $regex: term.replace(SYNTAX, '\\$&'), $options: 'i' }
}

/** Case-insensitive beginning. */
export function startingWith(term: string): { $regex: string; $options: 'i' } {
  return { $regex: `^${term.replace(SYNTAX, '\\$&')}`, $options: 'i' }
}
