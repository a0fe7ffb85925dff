/** In the place of a list that holds nothing: what that means, and the next step. */
import type { ComponentChildren } from 'preact'

export function EmptyState({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  )
}
