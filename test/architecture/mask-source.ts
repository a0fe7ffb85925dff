/**
 * Blanks what is not code. Every character keeps its place, so that an offset in the masked text is an offset in the
 * file, and a word in a comment or a string is never taken for code.
 */
export interface MaskedSource {
  /** Comments, string contents and regular expressions are blank; the quotes stay. */
  code: string
  /** Only comments are blank. */
  withoutComments: string
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const QUOTED = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y

/** A slash after one of these begins a regular expression; after anything else it divides. */
const BEFORE_REGEX = /(?:^|[=(,;:!&|?{}[\n+\-*~<>%]|\b(?:return|typeof|case|in|of|await|yield|void))\s*$/

/** What neither begins nor ends anything. */
const PLAIN = /[^/'"`{}]+/y

/** Each rule reads the same files. */
const masked = new Map<string, MaskedSource>()

export function maskSource(text: string): MaskedSource {
  const known = masked.get(text) ?? new Masker(text).run()
  masked.set(text, known)
  return known
}

class Masker {
  readonly #text: string
  #at = 0
  readonly #code: string[] = []
  readonly #withoutComments: string[] = []
  /** The end of the code so far, for `#regex`. */
  #end = ''
  /** One entry per open template literal: how many braces are open inside its current `${}`. */
  readonly #templates: number[] = []

  constructor(text: string) {
    this.#text = text
  }

  run(): MaskedSource {
    while (this.#at < this.#text.length) this.#step()
    return { code: this.#code.join(''), withoutComments: this.#withoutComments.join('') }
  }

  #step(): void {
    if (this.#plain() || this.#comment() || this.#quoted() || this.#regex() || this.#template()) return
    this.#character()
  }

  #plain(): boolean {
    const plain = this.#match(PLAIN)
    if (plain !== null) this.#emit(plain, plain)
    return plain !== null
  }

  #comment(): boolean {
    const comment = this.#match(COMMENT)
    if (comment !== null) this.#emit(blank(comment), blank(comment))
    return comment !== null
  }

  #quoted(): boolean {
    const quoted = this.#match(QUOTED)
    if (quoted !== null) this.#emit(`${quoted[0]}${blank(quoted.slice(1, -1))}${quoted[0]}`, quoted)
    return quoted !== null
  }

  #regex(): boolean {
    const mayBegin = this.#text.charAt(this.#at) === '/' && BEFORE_REGEX.test(this.#end)
    const regex = mayBegin ? this.#match(REGEX) : null
    if (regex !== null) this.#emit(blank(regex), regex)
    return regex !== null
  }

  #template(): boolean {
    if (this.#text.charAt(this.#at) !== '`') return false
    this.#templates.push(0)
    this.#templateRest('`')
    return true
  }

  #character(): void {
    const character = this.#text.charAt(this.#at)
    this.#countBrace(character)
    if (this.#endsSubstitution(character)) this.#templateRest(character)
    else this.#emit(character, character)
  }

  /** Emits `opening`, then the literal text up to the next `${` or to the closing backtick. */
  #templateRest(opening: string): void {
    this.#emit(opening, opening)
    const literal = this.#match(TEMPLATE_PART) ?? ''
    this.#emit(blank(literal), literal)
    const substitutes = this.#text.startsWith('${', this.#at)
    const closing = substitutes ? '${' : this.#text.charAt(this.#at)
    if (substitutes) this.#templates[this.#templates.length - 1] = 0
    else this.#templates.pop()
    this.#emit(closing, closing)
  }

  #countBrace(character: string): void {
    const last = this.#templates.length - 1
    if (last < 0) return
    if (character === '{') this.#templates[last] = (this.#templates[last] ?? 0) + 1
    if (character === '}') this.#templates[last] = (this.#templates[last] ?? 0) - 1
  }

  #endsSubstitution(character: string): boolean {
    return character === '}' && (this.#templates.at(-1) ?? 0) < 0
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0] ?? null
  }

  #emit(code: string, withoutComments: string): void {
    this.#code.push(code)
    this.#withoutComments.push(withoutComments)
    this.#end = (this.#end + code.slice(-80)).slice(-80)
    this.#at += code.length
  }
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
