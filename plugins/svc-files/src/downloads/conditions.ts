/** Conditions of a request, in the order of RFC 9110, 13.2.2. Pure. */

/** Of the file that is there. */
export interface Validators {
  /** Strong, with its quotes. */
  readonly tag: string
  /** Epoch ms. */
  readonly changedAt: number
}

type Fields = Readonly<Record<string, string | string[] | undefined>>

/** `failed`: 412, `unchanged`: 304. */
export type Verdict = 'send' | 'unchanged' | 'failed'

export function judgeConditions(fields: Fields, validators: Validators): Verdict {
  const match = textOf(fields['if-match'])
  const unmodified = timeOf(fields['if-unmodified-since'])
  if (match !== null) {
    if (!names(match, validators.tag, false)) return 'failed'
  } else if (unmodified !== null && seconds(validators.changedAt) > unmodified) return 'failed'
  const noneMatch = textOf(fields['if-none-match'])
  if (noneMatch !== null) return names(noneMatch, validators.tag, true) ? 'unchanged' : 'send'
  const modified = timeOf(fields['if-modified-since'])
  return modified !== null && seconds(validators.changedAt) <= modified ? 'unchanged' : 'send'
}

/** Whether `Range` counts: without `If-Range`, or where it names what is there. A weak tag, and a date that is not exact, do not. */
export function rangeHolds(fields: Fields, { tag, changedAt }: Validators): boolean {
  const asked = textOf(fields['if-range'])
  if (asked === null) return true
  return asked.includes('"') ? asked.trim() === tag : Date.parse(asked) / 1000 === seconds(changedAt)
}

/** @param weakly whether `W/` is passed over */
function names(field: string, tag: string, weakly: boolean): boolean {
  if (field.trim() === '*') return true
  const tags = field.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((each) => (weakly ? each.replace(/^W\//, '') : each) === tag)
}

function textOf(field: string | string[] | undefined): string | null {
  return field === undefined ? null : [field].flat().join(', ')
}

/** @returns seconds, as dates of HTTP have no more; `null` for what is no date */
function timeOf(field: string | string[] | undefined): number | null {
  const time = typeof field === 'string' ? Date.parse(field) : Number.NaN
  return Number.isNaN(time) ? null : time / 1000
}

const seconds = (time: number): number => Math.floor(time / 1000)
