/** HTML of templates: what is put into it is text, unless it is HTML from here. Pure. */
import { InvalidMailLink, UnquotedMailValue } from '../errors.ts'

/** How much of a value, and of a template, a message shows, in characters. */
const SHOWN_SCHEME = 20
const SHOWN_PART = 60

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** HTML that is safe to put into other HTML. */
export class SafeHtml {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/**
 * ``html`<p>Dear ${name}</p>` ``: values are escaped, lists are joined, `null`, `undefined` and `false` are left out.
 * Quote attributes: ``<a href="${url}">``. A value that begins a URL must be an http, https, mailto or cid URL or relative.
 *
 * @throws InvalidMailLink (400), UnquotedMailValue (500)
 */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): SafeHtml {
  let text = ''
  for (const [index, part] of strings.entries()) {
    text += part
    if (index < values.length) text += valueIn(text, values[index], part)
  }
  return new SafeHtml(text)
}

const IN_TAG = /<[^<>]*$/
const IN_QUOTES = /=\s*("[^"<>]*|'[^'<>]*)$/
const BEGINS_URL = /\b(?:href|src|action|background)\s*=\s*["']\s*$/i
const SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'cid'])
const SCHEME = /^[\s\p{Cc}]*([a-z][a-z\d+.\-\s\p{Cc}]*):/iu

/** @param part what the template itself has before the value */
function valueIn(before: string, value: unknown, part: string): string {
  const escaped = htmlOf(value)
  const [tag] = IN_TAG.exec(before) ?? []
  if (tag === undefined) return escaped
  if (!IN_QUOTES.test(tag)) throw new UnquotedMailValue(part.slice(-SHOWN_PART))
  if (BEGINS_URL.test(tag)) {
    const scheme = SCHEME.exec(String(value))?.[1]?.toLowerCase()
    if (scheme !== undefined && !SCHEMES.has(scheme)) throw new InvalidMailLink(shown(scheme))
  }
  return escaped
}

/** For a message: without line breaks, and no more of the value than a scheme is long. */
function shown(scheme: string): string {
  return scheme.replace(/[\s\p{Cc}]/gu, '').slice(0, SHOWN_SCHEME)
}

function htmlOf(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(htmlOf).join('')
  if (value instanceof SafeHtml) return value.toString()
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
