/** What the page says: in the language of the browser until a link is open, then in that of the link. */
import { signal } from '@preact/signals'
import type { PortalTexts } from 'svc-events/wire'
import { speak } from '../parts/words.ts'
import { page } from './page.ts'

interface Language {
  readonly locale: string
  readonly texts: PortalTexts
}

const language = signal<Language>({ locale: page.locale, texts: page.texts })

export type TextName = keyof PortalTexts

/** @param fills in place of `{name}` and the like */
export function say(name: TextName, fills: Readonly<Record<string, string | number>> = {}): string {
  return language.value.texts[name].replace(/\{(\w+)\}/g, (whole, key: string) => String(fills[key] ?? whole))
}

/** The text of a code; `null` where there is none. */
export function textOfCode(code: string): string | null {
  return Object.hasOwn(language.value.texts, code) ? language.value.texts[code as TextName] : null
}

export function use(locale: string, texts: PortalTexts): void {
  language.value = { locale, texts }
  const { dialogClose: close, cancel, copy, copied, copyFailed, dismiss, never } = texts
  speak(locale, { close, cancel, copy, copied, copyFailed, dismiss, never })
  document.documentElement.lang = locale
  document.title = texts.title
}

export function timeOf(ts: number): string {
  return new Intl.DateTimeFormat(language.value.locale, { timeStyle: 'short' }).format(ts)
}
