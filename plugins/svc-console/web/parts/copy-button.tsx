/** Puts a text on the clipboard. Where a page may not (no TLS), it is selected to be copied by hand. */
import { useState } from 'preact/hooks'
import { toast } from '../app/toasts.tsx'

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      setTimeout(() => setDone(false), 1500)
    } catch {
      toast('The browser does not let this page copy: select the text instead.')
    }
  }
  return (
    <button type="button" class="copy" onClick={() => void copy()} aria-label={done ? undefined : label}>
      {done ? 'Copied' : 'Copy'}
    </button>
  )
}
