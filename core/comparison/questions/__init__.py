"""Questions about one candidate, each with its figures, its words and its explanation.

What does it cost in the ways people ask (``cost_answers``), part by part (``bill_parts``), when used less
(``cost_by_use``), over the months (``cash``, ``cash_words``), under other ways to pay (``purchase_models``), on spot
(``spot``), with another number of chips (``number_of_chips``), and on leaving (``leaving``)? How far is it from users
(``distance_to_users``)? ``explain`` finds what stands behind any of these figures.
"""
