/** Cases about parts that do not exist yet: the id, and the part that brings the case. A case leaves this list when its test comes. */

const switching = 'acting as another user'
const revocation = 'signed tokens with expiry and a denylist, revalidated on open sockets'
const realtime = 'the realtime socket with its channels and its invoke path'

export const notYet: Readonly<Record<string, string>> = {
  'ROL-12': `${realtime}: a channel lock asks the role hierarchy`,
  'SES-23': `${switching}: the original user stays on the token`,
  'WSK-14': `${revocation}: a token that expires after the handshake`,
  'WSK-15': `${revocation}: a token that is revoked after the handshake`,
  'WSK-21': `${realtime}: the names of methods on the invoke path`,
  'WSK-24': `${realtime}: one revalidation for each zone of a socket`
}
