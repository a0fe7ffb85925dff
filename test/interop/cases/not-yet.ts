/** Cases about parts that do not exist yet: the id, and the part that brings the case. A case leaves this list when its test comes. */

const whole = 'tests of a whole application'
const switching = 'acting as another user'

export const notYet: Readonly<Record<string, string>> = {
  'SES-23': `${switching}: the original user stays on the token`,
  'FAS-03': `${whole}: not written yet`,
  'FAS-09': `${whole}: not written yet`,
  'FAS-13': `${whole}: not written yet`,
  'FAS-14': `${whole}: not written yet`,
  'FAS-15': `${whole}: not written yet`,
  'FAS-18': `${whole}: not written yet`,
  'ERR-01': `${whole}: not written yet`,
  'ERR-02': `${whole}: not written yet`,
  'ERR-04': `${whole}: not written yet`,
  'ERR-05': `${whole}: not written yet`,
  'CFG-01': `${whole}: not written yet`,
  'CFG-02': `${whole}: not written yet`,
  'CFG-08': `${whole}: not written yet`
}
