/** Links and sessions of the portal: one-time tokens of an organisation. */
import { type TokenRecord, type TokenStore, tokenStore } from 'svc-stores/plugin'

/** A link is used up by the session that it opens; a session is read again and again. */
export type PortalPurpose = 'link' | 'session'

/** `subject` is the organisation. */
export type PortalToken = TokenRecord<PortalPurpose>
export type PortalTokenStore = TokenStore<PortalPurpose>

export const portalTokenStore = tokenStore<PortalPurpose>('eventPortal', {
  name: 'svc_event_portal',
  collection: 'event_portal'
})
