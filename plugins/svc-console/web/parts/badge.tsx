/** A word with a colour and a shape of its own, so that the colour alone says nothing. */

export type Tone = 'good' | 'bad' | 'warn' | 'plain'

const MARKS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✕', warn: '!', plain: '·' }

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{MARKS[tone]}</span> {children}
    </span>
  )
}
