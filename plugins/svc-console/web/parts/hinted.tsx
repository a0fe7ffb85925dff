/** A field with a sentence about it, which is read out after its name and is no part of it. */
import { type ComponentChildren, cloneElement, type VNode } from 'preact'
import { useId } from 'preact/hooks'

interface HintedProps {
  readonly label: string
  readonly hint: ComponentChildren
  /** One input, select or textarea. */
  readonly children: VNode
}

export function Hinted({ label, hint, children }: HintedProps) {
  const id = useId()
  return (
    <div class="hinted">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is what it is given */}
      <label>
        {label}
        {cloneElement(children, { 'aria-describedby': id })}
      </label>
      <small id={id}>{hint}</small>
    </div>
  )
}
