/** The head of a page: where one is, its title, and what can be done. The title takes the focus when a page opens. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { settings } from '../app/settings.ts'

interface PageHeadProps {
  readonly title: string
  /** A link to the page above. */
  readonly above?: { readonly title: string; readonly href: string }
  /** Beside the title, cut where there is no room. */
  readonly note?: string | null
  readonly children?: ComponentChildren
}

let opened = 0

export function PageHead({ title, above, note = null, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Not on the first page: a browser begins at the top by itself.
    if (opened > 0) heading.current?.focus()
    opened += 1
  }, [])
  useEffect(() => {
    document.title = [title, settings.application, 'console'].filter((part) => part !== null).join(' · ')
  }, [title])
  return (
    <div class="page-head">
      <div>
        {above !== undefined && (
          <a class="above" href={above.href}>
            {above.title}
          </a>
        )}
        <div class="titled">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {note !== null && <span class="muted">{note}</span>}
        </div>
      </div>
      <div class="buttons">{children}</div>
    </div>
  )
}
