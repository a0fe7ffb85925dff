/** The invitations to an organisation that are open. */
import { Time } from '../../parts/time.tsx'
import { type Invitation, readInvitations, revokeInvitation } from './organizations-api.ts'
import { RevocableList } from './revocable-list.tsx'

export function Invitations({ id }: { readonly id: string }) {
  return (
    <RevocableList<Invitation>
      question={`invitations ${id}`}
      read={() => readInvitations(id)}
      revoke={(invitation) => revokeInvitation(id, invitation)}
      nameOf={({ address }) => `the invitation of ${address}`}
      warning="The link of its mail leads nowhere then."
      none="No invitation is open."
    >
      {({ address, role, invitedBy, createdAt, expiresAt }) => (
        <>
          <strong>{address}</strong> <code>{role}</code>
          <span class="muted">
            {' '}
            · by {invitedBy} <Time at={createdAt} />, ends <Time at={expiresAt} />
          </span>
        </>
      )}
    </RevocableList>
  )
}
