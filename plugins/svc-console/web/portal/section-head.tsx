/** The head of a section: its title, what it is, and what can be done. The title takes the focus when a section opens. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface SectionHeadProps {
  readonly title: string
  readonly hint?: string
  readonly children?: ComponentChildren
}

let opened = 0

export function SectionHead({ title, hint, children }: SectionHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Not on the first page: the page around a frame keeps the focus.
    if (opened > 0) heading.current?.focus()
    opened += 1
  }, [])
  return (
    <div class="portal-section">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {hint !== undefined && <p class="muted">{hint}</p>}
      </div>
      {children !== undefined && <div class="buttons">{children}</div>}
    </div>
  )
}
