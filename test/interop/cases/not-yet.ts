/** Cases about parts that do not exist yet: the id, and the part that brings the case. A case leaves this list when its test comes. */

const switching = 'acting as another user'

export const notYet: Readonly<Record<string, string>> = {
  'SES-23': `${switching}: the original user stays on the token`
}
