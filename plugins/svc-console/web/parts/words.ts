/** What parts say by themselves: in English, unless a page has a language of its own. */
const ENGLISH = {
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser does not let this page copy: select the text instead.',
  dismiss: 'Dismiss',
  undo: 'Undo',
  never: 'never'
}

export type Words = Readonly<typeof ENGLISH>

interface Speech {
  readonly words: Words
  /** Of relative times. */
  readonly locale: string
  /** Of dates; `undefined`: that of the browser. */
  readonly dates: string | undefined
}

export let speech: Speech = { words: ENGLISH, locale: 'en', dates: undefined }

/** Before the first part is shown. */
export function speak(locale: string, words: Omit<Words, 'undo'>): void {
  speech = { words: { ...ENGLISH, ...words }, locale, dates: locale }
}
