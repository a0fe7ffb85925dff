/**
 * What a profile says, as a list of texts that a store can look for: `title`, `title=engineer`, `emails.value=…`, `emails=…`,
 * and `emails[type=work].value=…`. Names and values are folded, as SCIM compares them without case. Pure.
 */
import { fold, hasOnlyStorableText } from 'svc-stores/table'

const MOST = 2000
/** Fields by which filters choose one of several values. */
const CHOOSING = ['type', 'primary']

/** What says that an attribute is there, or that it has a value. */
export function termOf(path: string, value?: unknown): string {
  return value === undefined ? fold(path) : fold(`${path}=${String(value)}`)
}

export function termsOf(profile: Readonly<Record<string, unknown>>): string[] {
  const terms = new Set<string>()
  addFields(profile, '', terms)
  return [...terms].filter(hasOnlyStorableText).slice(0, MOST)
}

function addFields(of: object, before: string, terms: Set<string>): void {
  for (const [name, value] of Object.entries(of)) add(`${before}${name}`, value, terms)
}

function add(path: string, value: unknown, terms: Set<string>): void {
  if (value === null || value === '') return
  if (Array.isArray(value)) for (const item of value) addItem(path, item, terms)
  else if (typeof value === 'object') {
    terms.add(termOf(path))
    addFields(value, `${path}.`, terms)
  } else terms.add(termOf(path)).add(termOf(path, value))
}

function addItem(path: string, item: unknown, terms: Set<string>): void {
  add(path, item, terms)
  if (typeof item !== 'object' || item === null) return
  for (const [name, value] of Object.entries(item)) {
    // `emails eq "…"` asks for the value of each.
    if (name.toLowerCase() === 'value') add(path, value, terms)
    if (typeof value !== 'object' && CHOOSING.includes(name.toLowerCase())) {
      addFields(item, `${path}[${name}=${String(value)}].`, terms)
    }
  }
}
