/**
 * A text of the address that is committed as a whole: by Enter, or when the field is left. What is typed until then is
 * state of its own, for a page that is drawn anew meanwhile (by an answer, by a live event) sets every `value`.
 */
import { useState } from 'preact/hooks'

interface KeptInputProps {
  readonly type?: 'search' | 'datetime-local'
  readonly placeholder?: string
  readonly maxLength?: number
  readonly inputMode?: 'numeric'
  readonly pattern?: string
  readonly step?: string
  /** The field that `/` leads to. */
  readonly 'data-search'?: boolean
  readonly value: string | undefined
  /** What was typed, without the spaces around it. */
  readonly onCommit: (text: string) => void
}

export function KeptInput({ value = '', onCommit, ...rest }: KeptInputProps) {
  const [draft, setDraft] = useState<string | null>(null)
  return (
    <input
      // the attributes of an input are a union by `type`, which the type of a spread does not follow
      {...(rest as object)}
      value={draft ?? value}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onChange={(event) => {
        setDraft(null)
        onCommit(event.currentTarget.value.trim())
      }}
    />
  )
}
