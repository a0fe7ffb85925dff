/** HTML of templates: what is put into it is text, unless it is HTML from here. Pure. */

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
 * @throws TypeError for a link to another scheme, and for a value in a tag outside of quotes
 */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): SafeHtml {
  let text = ''
  for (const [index, part] of strings.entries()) {
    text += part
    if (index < values.length) text += valueIn(text, values[index])
  }
  return new SafeHtml(text)
}

const IN_TAG = /<[^<>]*$/
const IN_QUOTES = /=\s*("[^"<>]*|'[^'<>]*)$/
const BEGINS_URL = /\b(?:href|src|action|background)\s*=\s*["']\s*$/i
const SCHEME = /^[\s\p{Cc}]*([a-z][a-z\d+.\-\s\p{Cc}]*):/iu

function valueIn(before: string, value: unknown): string {
  const escaped = htmlOf(value)
  const [tag] = IN_TAG.exec(before) ?? []
  if (tag === undefined) return escaped
  if (!IN_QUOTES.test(tag)) throw new TypeError('a value inside of a tag needs quotes around it')
  if (BEGINS_URL.test(tag)) {
    const scheme = SCHEME.exec(String(value))?.[1]?.toLowerCase()
    if (scheme !== undefined && !['http', 'https', 'mailto', 'cid'].includes(scheme)) {
      throw new TypeError('a link is an http, https, mailto or cid URL')
    }
  }
  return escaped
}

function htmlOf(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(htmlOf).join('')
  if (value instanceof SafeHtml) return value.toString()
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
