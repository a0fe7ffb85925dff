/** The portal of svc-events: a page for the administrators of an organisation, opened by a link that holds for one session. */
import { render } from 'preact'
import { followHash } from './portal/place.ts'
import { PortalFrame } from './portal/portal-frame.tsx'
import { openLink } from './portal/session.ts'
import './style/base.css'
import './style/parts.css'
import './style/portal.css'

followHash(openLink)
const app = document.getElementById('app')
if (app !== null) render(<PortalFrame />, app)
void openLink()
