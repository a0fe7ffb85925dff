/** What an endpoint may subscribe to: `*`, an action, or `prefix.*` (spec, "Subscription patterns"). Pure. */

/** As JSON schemas take it. */
export const EVENT_PATTERN = '^(?:\\*|[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*(?:\\.\\*)?)$'

const FORM = new RegExp(EVENT_PATTERN)

export function isEventPattern(given: unknown): boolean {
  return typeof given === 'string' && FORM.test(given)
}
