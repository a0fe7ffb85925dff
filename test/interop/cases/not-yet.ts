/** Cases about parts that do not exist yet: the id, and the part that brings the case. A case leaves this list when its test comes. */

const sessions = 'server-side sessions and their revalidation on open sockets'
const revocation = 'signed tokens with expiry and a denylist, revalidated on open sockets'
const realtime = 'the realtime socket with its channels and its invoke path'

export const notYet: Readonly<Record<string, string>> = {
  'ROL-12': `${realtime}: a channel lock asks the role hierarchy`,
  'WSK-11': `${sessions}: a user locked after the handshake`,
  'WSK-12': `${sessions}: a session that cannot be read`,
  'WSK-13': `${sessions}: a session that changed hands`,
  'WSK-14': `${revocation}: a token that expires after the handshake`,
  'WSK-15': `${revocation}: a token that is revoked after the handshake`,
  'WSK-19': `${sessions}: one read per window and socket`,
  'WSK-21': `${realtime}: the names of methods on the invoke path`,
  'WSK-23': `${sessions}: sockets of a session that was destroyed`,
  'WSK-24': `${realtime}: one revalidation for each zone of a socket`
}
