import { z } from 'zod';

export const UserCode = z.string().min(1).max(64).meta({ description: 'The code the terminal shows, typed by the person.' });
