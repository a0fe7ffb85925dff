/** Free-text search: every character of the term stands for itself. Pure. */

export function containsText(text: string | null, term: string): boolean {
  return text?.toLowerCase().includes(term.toLowerCase()) ?? false
}

export function startsWithText(text: string | null, term: string): boolean {
  return text?.toLowerCase().startsWith(term.toLowerCase()) ?? false
}
