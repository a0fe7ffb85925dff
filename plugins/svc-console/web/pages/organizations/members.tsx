/** The members of an organisation with their roles; one is removed, or the ownership is offered to one. */
import { useState } from 'preact/hooks'
import { useList } from '../../app/list.ts'
import { href } from '../../app/location.ts'
import { serves } from '../../app/settings.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Badge } from '../../parts/badge.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Time } from '../../parts/time.tsx'
import { type Member, type OrganizationProps, readMembers, removeMember, withdrawOffer } from './organizations-api.ts'
import { TransferDialog } from './transfer-dialog.tsx'

/** The role that every organisation has. */
export const OWNER = 'owner'

export function Members({ organization, onChange }: OrganizationProps) {
  const { id, name, sections, transferTo } = organization
  const list = useList(`members ${id}`, (cursor) => readMembers(id, cursor))
  const [leaving, setLeaving] = useState<Member | null>(null)
  const [heir, setHeir] = useState<Member | null>(null)
  const action = useAction()
  const { rows, loading, error, hasMore } = list
  const changed = () => {
    list.renew()
    onChange()
  }
  const remove = async ({ id: member, identifier }: Member) => {
    await removeMember(id, member)
    changed()
    toast(`${identifier} is no member any more, and is signed out.`)
  }
  const withdraw = async () => {
    await withdrawOffer(id)
    changed()
    toast('The offer of the ownership is withdrawn.')
  }
  return (
    <>
      <ErrorNotice error={action.error ?? error} onRetry={action.error === null ? list.reload : undefined} />
      {transferTo !== null && (
        <p class="notice">
          The ownership is offered to {rows.find((each) => each.id === transferTo)?.identifier ?? transferTo}, who has
          to accept it.{' '}
          <button type="button" disabled={action.busy} onClick={() => void action.run(withdraw)}>
            Withdraw the offer
          </button>
        </p>
      )}
      {rows.length === 0 && loading && <p class="muted loading">Loading …</p>}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        <section class="scroll" tabIndex={0} aria-label="Members">
          <table>
            <thead>
              <tr>
                {['Member', 'Role', 'Permissions', 'Since', 'Change'].map((title) => (
                  <th scope="col" key={title}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((member) => (
                <MemberRow
                  key={member.id}
                  member={member}
                  busy={action.busy}
                  onRemove={() => setLeaving(member)}
                  onOffer={sections.transfer && member.active && member.role !== OWNER ? () => setHeir(member) : null}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {hasMore && (
        <div class="buttons end">
          <button type="button" disabled={loading} onClick={list.more}>
            More members
          </button>
        </div>
      )}
      {leaving !== null && (
        <Confirm
          title={`Remove ${leaving.identifier}?`}
          action="Remove the member"
          onClose={() => setLeaving(null)}
          onConfirm={() => void action.run(() => remove(leaving))}
        >
          <p>
            {leaving.identifier} leaves {name} and is signed out everywhere, also of other organisations.
          </p>
        </Confirm>
      )}
      {heir !== null && (
        <TransferDialog
          id={id}
          to={heir}
          owners={rows.filter(({ role, active }) => role === OWNER && active)}
          onClose={() => setHeir(null)}
          onChange={changed}
        />
      )}
    </>
  )
}

interface MemberRowProps {
  readonly member: Member
  readonly busy: boolean
  readonly onRemove: () => void
  /** `null` where the ownership cannot be offered. */
  readonly onOffer: (() => void) | null
}

function MemberRow({ member, busy, onRemove, onOffer }: MemberRowProps) {
  const { userId, identifier, role, permissions, active, joinedAt } = member
  return (
    <tr>
      <th scope="row">{serves('people') ? <a href={href(['people', userId])}>{identifier}</a> : identifier}</th>
      <td>
        {role} {!active && <Badge tone="plain">off</Badge>}
      </td>
      <td>
        <code>{permissions.join(' ')}</code>
      </td>
      <td>
        <Time at={joinedAt} />
      </td>
      <td>
        <button type="button" disabled={busy} aria-label={`Remove ${identifier}`} onClick={onRemove}>
          Remove
        </button>{' '}
        {onOffer !== null && (
          <button type="button" disabled={busy} aria-label={`Offer the ownership to ${identifier}`} onClick={onOffer}>
            Offer the ownership
          </button>
        )}
      </td>
    </tr>
  )
}
