/** What ids look like on a connector. Rows carry them as text, whatever the database keeps. */

export interface IdForm {
  /** For messages: `a UUID, such as 0190...`. */
  readonly description: string
  /** A new id; later ids sort after earlier ones. */
  generate(): string
  /** Whether a text is an id of this form, spelt the one way rows carry it. */
  accepts(id: string): boolean
}
