/** What lets somebody in, one after the other; each is revoked once that is confirmed. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { useRenewal } from '../../app/renewal.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'

interface RevocableListProps<Item> {
  /** Names the list among those of the organisation. */
  readonly question: string
  readonly read: () => Promise<readonly Item[]>
  readonly revoke: (id: string) => Promise<unknown>
  /** What one is called. */
  readonly nameOf: (item: Item) => string
  /** What a revocation means. */
  readonly warning: string
  /** In the place of no items. */
  readonly none: string
  readonly children: (item: Item) => ComponentChildren
}

export function RevocableList<Item extends { readonly id: string }>(props: RevocableListProps<Item>) {
  const { question, read, revoke, nameOf, warning, none, children } = props
  const { value, error, reload } = useAnswer(question, read)
  const [ending, setEnding] = useState<Item | null>(null)
  const action = useAction()
  useRenewal(reload)
  const end = async (item: Item) => {
    await revoke(item.id)
    reload()
    toast(`${nameOf(item)} is revoked.`)
  }
  return (
    <>
      <ErrorNotice error={action.error ?? error} onRetry={action.error === null ? reload : undefined} />
      {value === null && error === null && <p class="muted loading">Loading …</p>}
      {value?.length === 0 && <EmptyState title={none} />}
      <ul class="things">
        {value?.map((item) => (
          <li key={item.id}>
            <span>{children(item)}</span>
            <button
              type="button"
              disabled={action.busy}
              aria-label={`Revoke ${nameOf(item)}`}
              onClick={() => setEnding(item)}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
      {ending !== null && (
        <Confirm
          title={`Revoke ${nameOf(ending)}?`}
          action="Revoke"
          onClose={() => setEnding(null)}
          onConfirm={() => void action.run(() => end(ending))}
        >
          <p>{warning}</p>
        </Confirm>
      )}
    </>
  )
}
