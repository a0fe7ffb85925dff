/** What is known of one thing, as names with their values. */
import type { ComponentChildren } from 'preact'
import { CopyButton } from './copy-button.tsx'

export function Field({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A text that may be copied. */
export function TextField({ name, text }: { readonly name: string; readonly text: string | null }) {
  return (
    <Field name={name}>
      {text === null ? (
        <span class="muted">none</span>
      ) : (
        <>
          <span class="value">{text}</span> <CopyButton text={text} label={`Copy ${name}`} />
        </>
      )}
    </Field>
  )
}
