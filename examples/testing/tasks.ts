import { defineTask, reject } from 'pgtusk'

export interface Mailer {
  send(to: string): Promise<'sent' | 'busy'>
}

/** The tasks of an application; what they need is given to them, so that a test can give its own. */
export const tasksOf = (mailer: Mailer) =>
  [
    defineTask({
      name: 'welcome',
      maxAttempts: 3,
      run: async ({ to }: { to: string }) => {
        const answer = await mailer.send(to)
        return answer === 'busy' ? reject('the mail server is busy', { delay: '1 hour' }) : answer
      },
    }),
  ] as const
