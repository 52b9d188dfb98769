import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import type { SignIn as Answer, Session } from './session.ts';

const PROBLEMS = {
  wrong: 'The name or the password is wrong.',
  unreachable: 'The issuer cannot be reached. npm run example starts it.',
} as const;

interface SignInProps {
  /** True when somebody was signed in, and what they typed is still there. */
  hasEnded: boolean;
  linkPassword: string;
  onSubmit: (name: string, password: string) => Promise<Answer>;
  onSignIn: (session: Session) => void;
}

export function SignIn({ hasEnded, linkPassword, onSubmit, onSignIn }: SignInProps) {
  const [problem, setProblem] = useState<keyof typeof PROBLEMS | null>(null);
  const id = useId();
  const name = useRef<HTMLSelectElement>(null);
  useEffect(() => name.current?.focus(), []);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    const answer = await onSubmit(String(typed.get('name')), String(typed.get('password')).trim());
    if (typeof answer === 'object') return onSignIn(answer);
    setProblem(answer);
    form.querySelector('input')?.select();
  };
  return (
    <section className="narrow" aria-labelledby={id}>
      <h2 id={id}>{hasEnded ? 'Sign in again' : 'Sign in'}</h2>
      {hasEnded && <p>Your session has ended. What you typed is still here.</p>}
      <form onSubmit={submit}>
        <p className="field">
          <label htmlFor={`${id}-name`}>Name</label>
          <select id={`${id}-name`} name="name" ref={name} autoComplete="username">
            <option value="ada">ada: reads, changes articles and groups</option>
            <option value="bo">bo: reads, changes articles</option>
            <option value="chidi">chidi: reads</option>
          </select>
        </p>
        <p className="field">
          <label htmlFor={`${id}-password`}>Password</label>
          <input
            id={`${id}-password`}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            defaultValue={linkPassword}
            aria-invalid={problem === 'wrong'}
            aria-describedby={`${id}-hint`}
          />
          <span id={`${id}-hint`} className="hint">
            npm run example prints it.
          </span>
        </p>
        {problem && (
          <p className="issue" role="alert">
            {PROBLEMS[problem]}
          </p>
        )}
        <button type="submit" className="primary">
          Sign in
        </button>
      </form>
    </section>
  );
}
