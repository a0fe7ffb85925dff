/** What the server told this page, in its document. */
import type { PortalPage } from 'svc-events/wire'

const told = document.querySelector<HTMLMetaElement>('meta[name="svc-portal"]')

export const page = JSON.parse(told?.content ?? '') as PortalPage
