/** The keys of the console. They are no keys while something is being written, or with a modifier. */
import { signal } from '@preact/signals'
import { go, href } from './location.ts'
import { listedPages } from './pages.ts'

export const helpIsOpen = signal(false)

const CHORD_MS = 1500

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** Call once. */
export function listenToKeys(): void {
  let begun = Number.NEGATIVE_INFINITY
  document.addEventListener('keydown', (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || isWriting(event.target)) return
    if (document.querySelector('dialog[open]') !== null) return
    const chord = event.timeStamp - begun < CHORD_MS
    begun = Number.NEGATIVE_INFINITY
    if (chord) {
      const page = listedPages().find(({ key }) => key === event.key)
      if (page !== undefined) {
        event.preventDefault()
        go(href([page.name]))
      }
    } else if (event.key === 'g') {
      begun = event.timeStamp
    } else if (event.key === '?') {
      helpIsOpen.value = true
    } else if (event.key === '/') {
      event.preventDefault()
      document.querySelector<HTMLInputElement>('[data-search]')?.focus()
    }
  })
}
