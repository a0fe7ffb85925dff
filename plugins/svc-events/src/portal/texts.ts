/** The languages of the portal: English and German, and those of the application, which win. Pure. */
import { LOCALE } from './portal-options.ts'
import { DE } from './texts-de.ts'
import { EN, type PortalTexts } from './texts-en.ts'

const WELL_FORMED = new RegExp(LOCALE)

export class PortalCatalogue {
  readonly #languages: ReadonlyMap<string, PortalTexts>

  constructor(given: Readonly<Record<string, Partial<PortalTexts>>>) {
    const own = Object.entries(given).map(([locale, texts]) => {
      const base = languageOf(locale) === 'de' ? DE : EN
      return [locale.toLowerCase(), { ...base, ...texts }] as const
    })
    this.#languages = new Map<string, PortalTexts>([['en', EN], ['de', DE], ...own])
  }

  /** Those of a language tag: its own, those of its language, else English. */
  of(locale: string): PortalTexts {
    return this.#find(locale) ?? EN
  }

  /** What a browser prefers of what there is. @param fallback language of the options */
  preferred(header: string | undefined, fallback: string): { readonly locale: string; readonly texts: PortalTexts } {
    const wanted = (header ?? '').split(',').map((part) => part.split(';', 1)[0]?.trim() ?? '')
    for (const locale of wanted) {
      const texts = WELL_FORMED.test(locale) ? this.#find(locale) : undefined
      if (texts !== undefined) return { locale, texts }
    }
    return { locale: fallback, texts: this.of(fallback) }
  }

  #find(locale: string): PortalTexts | undefined {
    return this.#languages.get(locale.toLowerCase()) ?? this.#languages.get(languageOf(locale))
  }
}

function languageOf(locale: string): string {
  return locale.split('-', 1)[0]?.toLowerCase() ?? ''
}
