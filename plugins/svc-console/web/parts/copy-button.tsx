/** Puts a text on the clipboard. Where a page may not (no TLS), it is selected to be copied by hand. */
import { useState } from 'preact/hooks'
import { toast } from '../app/toasts.tsx'
import { speech } from './words.ts'

export function CopyButton({ text, label = speech.words.copy }: { readonly text: string; readonly label?: string }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      setTimeout(() => setDone(false), 1500)
    } catch {
      toast(speech.words.copyFailed)
    }
  }
  return (
    <button type="button" class="copy" onClick={() => void copy()} aria-label={done ? undefined : label}>
      {done ? speech.words.copied : speech.words.copy}
    </button>
  )
}
